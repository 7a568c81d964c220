/** Cuts UUIDs to the shortest start that tells them apart; leaves other ids whole. Pure. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const short = sorted.map((id, index) => {
    const shared = Math.max(
      sharedChars(id, sorted[index - 1] ?? ''),
      sharedChars(id, sorted[index + 1] ?? ''),
    );
    return [id, isUuid.test(id) ? startOf(id, Math.max(charsMin, shared + 1)) : id] as const;
  });
  const byId = new Map(short);
  return (id) => byId.get(id) ?? id;
}

/** Up to the first dash: of a version 7 UUID the minute, of a digest enough. */
const charsMin = 8;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Never with a dash at its end. */
function startOf(id: string, chars: number): string {
  return id.slice(0, id[chars - 1] === '-' ? chars + 1 : chars);
}

function sharedChars(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count += 1;
  return count;
}
