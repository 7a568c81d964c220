"""What the OpenAPI document cannot say of this API, for Schemathesis."""

import schemathesis

EVENT_PATHS = ("/v1/events", "/v1/log")

# Schemathesis makes no text for classes of Unicode, and none of its texts has half a character.
CLASSES = {"\\p{Cc}": "\\x00-\\x1f\\x7f-\\x9f", "\\p{Cs}": ""}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    spell_out(raw_schema)


def spell_out(value):
    """Puts the characters in the place of their class, in every pattern."""
    for name, part in list(value.items()) if isinstance(value, dict) else enumerate(value):
        if name == "pattern" and isinstance(part, str):
            for written, meant in CLASSES.items():
                value[name] = value[name].replace(written, meant)
        elif isinstance(part, (dict, list)):
            spell_out(part)


@schemathesis.check
def refuses_bad_events(ctx, response, case):
    """A batch with an event that breaks the served schema is answered with what is refused."""
    if case.method != "POST" or case.path not in EVENT_PATHS or response.status_code != 200:
        return
    if case.meta is None or not case.meta.generation.mode.is_negative:
        return
    assert response.json()["rejected"] != [], "A bad event was accepted"
