/** What `work` returns, or `otherwise` if it throws. */
export declare function attempt<T, Otherwise>(work: () => T, otherwise: Otherwise): T | Otherwise;
