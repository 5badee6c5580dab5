/** `message` says what went wrong and with which value. */
export class CodedError extends Error {
    /** Stable. */
    code;
    constructor(code, message, cause) {
        super(message, cause === undefined ? undefined : { cause });
        this.code = code;
    }
}
/** `remedy` says what to do about it. */
export class RemediedError extends CodedError {
    remedy;
    constructor(code, message, remedy, cause) {
        super(code, message, cause);
        this.remedy = remedy;
    }
}
