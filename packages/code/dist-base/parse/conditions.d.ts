/** The open preprocessor conditionals at a position. */
export interface Conditions {
    /** The text is excluded by `#if 0`. */
    readonly isSkipping: boolean;
    /** Process a directive, beginning with `#`, and set the state for the following text. */
    take(directive: string): void;
}
/**
 * Each branch of an `#if` begins in the state before it, and the text after `#endif` continues in
 * the state after the first branch. Text excluded by `#if 0` is ignored.
 */
export declare function createConditions<State>(save: () => State, restore: (state: State) => void): Conditions;
//# sourceMappingURL=conditions.d.ts.map