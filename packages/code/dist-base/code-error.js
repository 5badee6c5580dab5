import { RemediedError } from '#base/coded-error';
/** `message` states what failed with which value; `remedy` states what to do. */
export class CodeError extends RemediedError {
    name = 'CodeError';
    /** With `content_changed`: the line of the chunk where the page was, from 1. */
    line;
    constructor(code, message, remedy, { cause, line } = {}) {
        super(code, message, remedy, cause);
        if (line !== undefined)
            this.line = line;
    }
}
/** In characters. */
export const maxPathLength = 4_096;
export const maxNameLength = 1_000;
/**
 * Longer values are not meaningful, and matching them may take more than linear time.
 *
 * @throws {CodeError} `bad_argument`
 */
export function checkLength(what, text, maxLength) {
    if (text.length > maxLength)
        throw new CodeError('bad_argument', `${what} has ${text.length} characters; the limit is ${maxLength}.`, 'Pass a shorter value.');
}
//# sourceMappingURL=code-error.js.map