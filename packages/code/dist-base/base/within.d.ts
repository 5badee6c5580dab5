/** The outcome of `work`, or a rejection with `reason` after `ms`. The work itself continues. */
export declare function within<T>(ms: number, work: Promise<T>, reason: string): Promise<T>;
