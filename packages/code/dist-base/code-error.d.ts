import { RemediedError } from '#base/coded-error';
/** Stable codes of {@link CodeError}. */
export type CodeErrorCode = 'bad_argument' | 'not_allowed' | 'not_found' | 'not_text' | 'symbol_not_found' | 'no_symbols' | 'ambiguous' | 'content_changed' | 'too_large';
/** `message` states what failed with which value; `remedy` states what to do. */
export declare class CodeError extends RemediedError<CodeErrorCode> {
    readonly name = "CodeError";
    /** With `content_changed`: the line of the chunk where the page was, from 1. */
    readonly line?: number;
    constructor(code: CodeErrorCode, message: string, remedy: string, { cause, line }?: {
        cause?: unknown;
        line?: number;
    });
}
/** In characters. */
export declare const maxPathLength = 4096;
export declare const maxNameLength = 1000;
/**
 * Longer values are not meaningful, and matching them may take more than linear time.
 *
 * @throws {CodeError} `bad_argument`
 */
export declare function checkLength(what: string, text: string, maxLength: number): void;
//# sourceMappingURL=code-error.d.ts.map