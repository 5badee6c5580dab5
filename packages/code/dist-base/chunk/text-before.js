import { createHash } from 'node:crypto';
/** At most this many digests of a chunk are kept. */
const maxDigests = 8_192;
/** Digests of the text before an offset. Ascending offsets read each character once. */
export class TextBefore {
    #text;
    #digests = new Map();
    #hash = createHash('sha256');
    #at = 0;
    constructor(text) {
        this.#text = text;
    }
    digest(offset) {
        const cachedDigest = this.#digests.get(offset);
        if (cachedDigest !== undefined)
            return cachedDigest;
        if (offset < this.#at) {
            this.#hash = createHash('sha256');
            this.#at = 0;
        }
        // As UTF-16, in which an offset between two halves of a character is valid.
        this.#hash.update(this.#text.slice(this.#at, offset), 'utf16le');
        this.#at = offset;
        const digest = this.#hash.copy().digest('base64');
        if (this.#digests.size >= maxDigests)
            this.#digests.clear();
        this.#digests.set(offset, digest);
        return digest;
    }
}
//# sourceMappingURL=text-before.js.map