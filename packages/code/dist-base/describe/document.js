import { eachName } from '../text/each-name.js';
import { commentLines } from './comment-lines.js';
import { termsOfName } from './words.js';
/** The file defines something of this name. */
export const isDefined = 0x80;
/** The highest {@link impactOf}. */
export const maxImpact = 0x7f;
/** How much a word counts at each place, relative to one in the code. */
const weights = { file: 6, top: 1, name: 2.5, head: 0.6, comment: 2.5 };
/** Lines at the start of a file that say what it is for. */
const headLines = 40;
/** The saturation of BM25, and how much the length of a file counts relative to `usualLength` names. */
const saturation = 8;
const lengthShare = 0.5;
const usualLength = 4_000;
/** How much more a file counts that is twice as long, from a quarter of the usual: others use it. */
const sizeShare = 0.03;
/**
 * The terms of a file, each with one byte: {@link isDefined}, and how much the file is about it. The
 * byte depends on this file alone, so that an index need not be written again when others change.
 */
export function documentOf({ path, text, symbols }) {
    const numbers = new Map();
    const sums = [];
    const add = (name, weight) => {
        const number = numbers.get(name);
        if (number === undefined)
            numbers.set(name, sums.push(weight) - 1);
        else
            sums[number] += weight;
    };
    const head = endOfHead(text);
    const isComment = commentLines(text);
    let length = 0;
    eachName(text, (name, at) => {
        add(name, 1 + (at < head ? weights.head : 0) + (isComment(at) ? weights.comment : 0));
        length++;
    });
    const defined = new Set();
    for (const { name, parent } of symbols)
        eachName(name, (part) => {
            add(part, weights.name + (parent < 0 ? weights.top : 0));
            defined.add(termsOfName(part)[0] ?? '');
        });
    const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
    eachName(file, (name) => add(name, weights.file));
    const terms = new Map();
    for (const [name, number] of numbers)
        for (const term of termsOfName(name))
            terms.set(term, (terms.get(term) ?? 0) + sums[number]);
    const relative = length / usualLength;
    const shortness = saturation * (1 - lengthShare + lengthShare * relative);
    const size = 1 + sizeShare * Math.log2(Math.min(Math.max(relative * 4, 1 / 8), 8));
    for (const [term, weight] of terms) {
        const impact = Math.round((maxImpact / 1.1) * size * (weight / (shortness + weight)));
        terms.set(term, Math.max(1, impact) | (defined.has(term) ? isDefined : 0));
    }
    return terms;
}
function endOfHead(text) {
    let at = 0;
    for (let line = 0; line < headLines; line++) {
        at = text.indexOf('\n', at) + 1;
        if (at === 0)
            return text.length;
    }
    return at;
}
//# sourceMappingURL=document.js.map