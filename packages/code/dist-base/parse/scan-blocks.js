import { createConditions } from './conditions.js';
import { addSign, addWord, copyHeader, isLabel, noHeader, readHeader, } from './header.js';
import { unitSize } from './parsed.js';
import { scanTokens } from './scan-tokens.js';
const outermost = () => ({
    outer: undefined,
    open: -1,
    kind: 'scope',
    parens: 0,
    fn: undefined,
    unit: -1,
    isDo: false,
    header: noHeader(),
});
/**
 * Find functions and statements by braces, comments and strings alone, for texts with syntax
 * errors. Linear in the length of the text.
 */
export function scanBlocks(text, lexis) {
    const scanner = new BlockScanner(text);
    scanTokens(text, lexis, (kind, start, end) => scanner.take(kind, start, end));
    return scanner.finish();
}
const copyPlace = (place) => ({ ...place, header: copyHeader(place.header) });
class BlockScanner {
    #text;
    #scanned = { functions: [], closes: new Map(), units: [], leads: [] };
    #conditions;
    #at = { block: outermost(), parens: 0, header: noHeader(), isAtStart: true };
    /** End of the last token that is not a comment or directive. */
    #lastEnd = 0;
    constructor(text) {
        this.#text = text;
        this.#conditions = createConditions(() => copyPlace(this.#at), (place) => {
            this.#at = copyPlace(place);
        });
    }
    take(kind, start, end) {
        const text = this.#text;
        if (kind === 'directive')
            this.#conditions.take(text.slice(start, Math.min(end, start + 80)));
        else if (this.#conditions.isSkipping)
            return;
        else if (kind === 'comment') {
            if (this.#at.block.kind === 'code' && this.#isFlat())
                this.#scanned.leads.push(start, end);
        }
        else {
            if (kind === 'word')
                this.#onWord(start, end);
            else
                this.#onSign(kind === 'sign' ? text[start] : '""', start, end);
            this.#lastEnd = end;
        }
    }
    /** Close the open blocks at the end of the text. */
    finish() {
        while (this.#at.block.outer)
            this.#close(this.#text.length);
        return this.#scanned;
    }
    #isFlat() {
        return this.#at.parens === this.#at.block.parens;
    }
    #onWord(start, end) {
        if (!this.#isFlat())
            return;
        const at = this.#at;
        const word = this.#text.slice(start, end);
        if (at.isAtStart)
            this.#begin(word, start, end);
        at.isAtStart = false;
        addWord(at.header, word, start);
    }
    #onSign(char, start, end) {
        const at = this.#at;
        const wasFlat = this.#isFlat();
        if (wasFlat && at.isAtStart && char !== ';' && char !== '}')
            this.#begin(char, start, end);
        if (char === '}')
            this.#close(end);
        else if (char === '{')
            this.#open(start);
        else if (char === ';' && wasFlat)
            this.#endStatement();
        else {
            if (char === '(' || char === '[')
                at.parens++;
            else if (char === ')' || char === ']')
                at.parens = Math.max(at.block.parens, at.parens - 1);
            if (wasFlat || this.#isFlat())
                this.#onFlatSign(char, start, end);
        }
    }
    #onFlatSign(char, start, end) {
        const at = this.#at;
        const text = this.#text;
        at.isAtStart = false;
        addSign(at.header, char, start);
        const isColon = char === ':' && text[end] !== ':' && text[start - 1] !== ':';
        if (isColon && isLabel(at.header))
            this.#restart();
    }
    #begin(first, start, end) {
        const { block } = this.#at;
        if (block.kind !== 'code')
            return;
        const goesOn = first === 'else' || first === 'catch' || (first === 'while' && block.isDo);
        block.isDo = false;
        if (goesOn)
            return;
        this.#endUnit(block);
        block.unit = this.#scanned.units.push(start, end, block.open) - unitSize;
    }
    #endUnit(block) {
        const { units } = this.#scanned;
        if (block.unit >= 0)
            units[block.unit + 1] = Math.max(this.#lastEnd, units[block.unit + 1]);
        block.unit = -1;
    }
    #restart() {
        this.#at.header = noHeader();
        this.#at.isAtStart = true;
    }
    #endStatement() {
        this.#at.block.isDo = false;
        this.#restart();
    }
    #open(start) {
        const at = this.#at;
        const { block, parens, header } = at;
        const { kind, name } = readHeader(header, block.kind, !this.#isFlat(), this.#text);
        const begins = header.start < 0 ? start : header.start;
        const fn = name === undefined ? undefined : { name, start: begins, body: start, end: -1 };
        if (fn)
            this.#scanned.functions.push(fn);
        at.block = { outer: block, open: start, kind, parens, fn, unit: -1, isDo: false, header };
        this.#restart();
    }
    #close(end) {
        const at = this.#at;
        const { block } = at;
        const { closes } = this.#scanned;
        this.#endUnit(block);
        this.#lastEnd = end;
        if (!block.outer) {
            this.#restart();
            return;
        }
        if (!closes.has(block.open))
            closes.set(block.open, end);
        if (block.fn && block.fn.end < 0)
            block.fn.end = end;
        at.block = block.outer;
        at.parens = block.parens;
        if (block.kind === 'data' || !this.#isFlat()) {
            // The block is a value, and its statement continues.
            at.header = { ...block.header, last: '}' };
            at.isAtStart = false;
        }
        else {
            at.block.isDo = block.header.first === 'do';
            this.#restart();
        }
    }
}
//# sourceMappingURL=scan-blocks.js.map