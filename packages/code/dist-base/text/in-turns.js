import { setImmediate as nextTurn } from 'node:timers/promises';
/** Of the steps taken here, each takes at most some 10 µs: a turn takes at most some 20 ms. */
export const perTurn = 2_000;
/**
 * Take a step for each item. After every 2,000 steps what waits in the event loop has its turn:
 * however many items there are, other callers do not wait for all of them.
 */
export async function inTurns(items, step) {
    for (let at = 0; at < items.length;) {
        const end = Math.min(items.length, at + perTurn);
        for (; at < end; at++)
            step(items[at], at);
        if (at < items.length)
            await nextTurn();
    }
}
/** The items that fulfil a condition, in their order. */
export async function filterInTurns(items, condition) {
    const matches = [];
    await inTurns(items, (item) => {
        if (condition(item))
            matches.push(item);
    });
    return matches;
}
//# sourceMappingURL=in-turns.js.map