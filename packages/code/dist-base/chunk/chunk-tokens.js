import { decodePageToken, encodePageToken } from '@pith-mcp/paginator';
import { CodeError } from '../code-error.js';
import { addressText } from './page-address.js';
import { TextBefore } from './text-before.js';
/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 100;
/** The page tokens of a chunk: bound to the text before a page, so that edits behind it are free. */
export class ChunkTokens {
    #name;
    #resource;
    #before;
    constructor(file, symbol, text) {
        this.#name = symbol ? `${file.path}#${symbol.path}` : file.path;
        // Without the number that a symbol has among those with its name.
        this.#resource = symbol ? `${file.path}#${symbol.bare}` : file.path;
        this.#before = new TextBefore(text);
    }
    short(start) {
        const content = this.#before.digest(start);
        return encodePageToken({ resource: this.#resource, start, content });
    }
    /** With path, name, offsets and size in it. */
    standalone(start, end, size) {
        const resource = this.#scope({ end, size });
        const token = encodePageToken({ resource, start, content: this.#before.digest(start) });
        const tag = token.slice(token.indexOf('.') + 1);
        return addressText({ id: this.#name, start, end, size, tag });
    }
    /** `starts` returns those of the pages, ascending. @throws {CodeError} */
    startOf(token, starts, length) {
        const decoded = this.#decode(token, starts);
        if (decoded.ok && decoded.start < Math.max(1, length))
            return { start: decoded.start, ...(decoded.corrected && { isCorrected: true }) };
        if (!decoded.ok && decoded.reason === 'malformed') {
            const valid = decoded.valid ?? [];
            throw new CodeError('bad_argument', `${quoteToken(token)} is not a page token of ${this.#name}.`, `Pass a page token exactly as in the reply: ${valid.join(', ')}${valid.length < starts().length ? ', …' : ''}.`);
        }
        throw new CodeError('content_changed', `The page token ${quoteToken(token)} does not fit the text of ${this.#name}: it is mistyped or of another function, or the text before its page has changed since (content_changed).`, 'Begin again at the first page, or about where the page was.');
    }
    /** True for a token of this chunk, if the text before its page is as it was. */
    fits(token, length) {
        const decoded = this.#decode(token);
        return decoded.ok && decoded.start < length;
    }
    #decode(token, starts) {
        const isText = typeof token === 'string';
        return decodePageToken(isText ? token : `${token.start}.${token.tag}`, {
            resource: isText ? this.#resource : this.#scope(token),
            content: (start) => this.#before.digest(start),
            ...(starts && { starts }),
        });
    }
    #scope({ end, size }) {
        return `${this.#resource}@${end}:${size}`;
    }
}
const quoteToken = (token) => JSON.stringify((typeof token === 'string' ? token : addressText(token)).slice(0, maxShownLength));
//# sourceMappingURL=chunk-tokens.js.map