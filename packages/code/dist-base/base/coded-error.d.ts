/** `message` says what went wrong and with which value. */
export declare class CodedError<Code extends string> extends Error {
    /** Stable. */
    readonly code: Code;
    constructor(code: Code, message: string, cause?: unknown);
}
/** `remedy` says what to do about it. */
export declare class RemediedError<Code extends string> extends CodedError<Code> {
    readonly remedy: string;
    constructor(code: Code, message: string, remedy: string, cause?: unknown);
}
