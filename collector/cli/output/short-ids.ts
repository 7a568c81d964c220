/** Cuts UUIDs to the shortest start that tells them apart; leaves other ids whole. Pure. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const short = sorted.map((id, index) => {
    const shared = Math.max(
      sharedChars(id, sorted[index - 1] ?? ''),
      sharedChars(id, sorted[index + 1] ?? ''),
    );
    return [id, isUuid.test(id) ? id.slice(0, Math.max(charsMin, shared + 1)) : id] as const;
  });
  const byId = new Map(short);
  return (id) => byId.get(id) ?? id;
}

/** The milliseconds of a version 7 UUID: eight digits, a dash, four digits. */
const charsMin = 13;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function sharedChars(left: string, right: string): number {
  let count = 0;
  while (count < left.length && left[count] === right[count]) count += 1;
  return count;
}
