/** Of the steps taken here, each takes at most some 10 µs: a turn takes at most some 20 ms. */
export declare const perTurn = 2000;
/**
 * Take a step for each item. After every 2,000 steps what waits in the event loop has its turn:
 * however many items there are, other callers do not wait for all of them.
 */
export declare function inTurns<T>(items: readonly T[], step: (item: T, index: number) => void): Promise<void>;
/** The items that fulfil a condition, in their order. */
export declare function filterInTurns<T>(items: readonly T[], condition: (item: T) => boolean): Promise<T[]>;
//# sourceMappingURL=in-turns.d.ts.map