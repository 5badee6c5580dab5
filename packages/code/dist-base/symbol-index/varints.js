/** Numbers of up to 32 bits in as few bytes as each needs, seven bits a byte. */
export class VarintWriter {
    #bytes = new Uint8Array(64);
    #length = 0;
    write(value) {
        if (this.#length + 5 > this.#bytes.length) {
            const grown = new Uint8Array(this.#bytes.length * 2);
            grown.set(this.#bytes);
            this.#bytes = grown;
        }
        let rest = value >>> 0;
        for (; rest > 127; rest >>>= 7)
            this.#bytes[this.#length++] = (rest & 127) | 128;
        this.#bytes[this.#length++] = rest;
    }
    /** A copy of what was written. */
    bytes() {
        return this.#bytes.slice(0, this.#length);
    }
}
/** The numbers of a `VarintWriter`. */
export function readVarints(bytes) {
    const values = [];
    let value = 0;
    let shift = 0;
    for (const byte of bytes) {
        value |= (byte & 127) << shift;
        if (byte > 127)
            shift += 7;
        else {
            values.push(value >>> 0);
            value = 0;
            shift = 0;
        }
    }
    return values;
}
//# sourceMappingURL=varints.js.map