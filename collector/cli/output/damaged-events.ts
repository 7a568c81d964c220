/** A sentence for each damaged event, with its id where the store's index still has it. */
import type { DamagedEvent } from '../../log/check-log.ts';
import type { StoreLocation } from '../../stores/driver.ts';

export async function nameDamaged(
  { driver, address }: StoreLocation,
  events: readonly DamagedEvent[],
): Promise<readonly string[]> {
  const unnamed = events.filter(({ eventId }) => eventId === '');
  const positions = new Set(unnamed.map(({ position }) => position));
  const ids =
    positions.size === 0 ? new Map<number, string>() : await driver.findIds(address, positions);
  return events.map(({ position, eventId, damage }) => {
    const id = eventId || ids.get(position) || 'an unreadable id';
    return `${id} at position ${position}: ${damage}`;
  });
}
