import { eachName } from '../text/each-name.js';
import { commentLines } from './comment-lines.js';
import { termsOfName } from './words.js';
/** How much a word counts in the comment above a symbol and in its body, relative to its name. */
const commentShare = 0.7;
const bodyShare = 0.5;
/** Occurrences in a body of `usualNames` names that are half of what any number can bring. */
const saturation = 1;
const usualNames = 60;
/**
 * Indexes of the symbols of a file that a query describes, best first. The text of a symbol is what
 * no symbol inside it has; a comment belongs to the symbol after it. `weights` are those of `rankFiles`.
 */
export function rankDescribed(weights, text, symbols) {
    const counts = symbols.map(() => ({
        names: 0,
        above: new Set(),
        body: new Map(),
    }));
    let next = 0;
    const isComment = commentLines(text);
    let inner = -1;
    eachName(text, (name, start) => {
        while ((symbols[next]?.start ?? text.length) <= start)
            inner = next++;
        while (inner >= 0 && symbols[inner].end <= start)
            inner = symbols[inner].parent;
        const isAbove = isComment(start) && symbols[next]?.parent === inner;
        const count = counts[isAbove ? next : inner];
        if (!count)
            return;
        if (!isAbove)
            count.names++;
        for (const term of termsOfName(name)) {
            if (!weights.has(term))
                continue;
            if (isAbove)
                count.above.add(term);
            else
                count.body.set(term, (count.body.get(term) ?? 0) + 1);
        }
    });
    const scores = symbols.map(({ name }, index) => {
        const { names, above, body } = counts[index];
        const nameTerms = new Set();
        eachName(name, (part) => {
            for (const term of termsOfName(part))
                nameTerms.add(term);
        });
        let score = 0;
        for (const [term, weight] of weights) {
            const count = body.get(term) ?? 0;
            const share = count / (count + saturation * (0.5 + (0.5 * names) / usualNames));
            score +=
                weight *
                    Math.max(nameTerms.has(term) ? 1 : 0, above.has(term) ? commentShare : 0, bodyShare * share);
        }
        return score;
    });
    return [...symbols.keys()]
        .filter((index) => scores[index] > 0)
        .sort((a, b) => scores[b] - scores[a] || a - b);
}
//# sourceMappingURL=rank-symbols.js.map