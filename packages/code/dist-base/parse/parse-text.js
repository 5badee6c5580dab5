import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { grammarsFolder } from '../grammars-folder.js';
import { nothing } from './parsed.js';
import { readDefinitions } from './read-definitions.js';
import { readTree } from './read-tree.js';
import { readValues } from './read-values.js';
import { recoverFunctions } from './recover-functions.js';
import { nameSymbols } from './symbol-table.js';
/** Bytes of memory that parsing may use: per character, and for any text. */
const maxPerCharacter = 48;
const maxForAny = 64 * 2 ** 20;
/** At most this many definitions in a file. */
const maxDefinitions = 100_000;
/** Parse a text within `timeoutMs`. */
export const parseText = (text, language, timeoutMs) => inTree(text, language, timeoutMs, (tree, { definitions, behind }, isOver) => {
    const read = readTree(tree, text, language, behind, isOver);
    if (!read)
        return undefined;
    const recovered = recoverFunctions({ ...read, definitions }, text, language);
    const { units, leads, tokens, hasErrors } = recovered;
    const symbols = nameSymbols(recovered.definitions, text);
    const values = nameSymbols(readValues(tree, text, language, recovered.definitions), text);
    return { parsed: { units, leads, tokens, hasErrors }, symbols, values };
});
/** Only the symbols of a text, without their tokens. */
export const outlineText = (text, language, timeoutMs) => inTree(text, language, timeoutMs, (tree, outline) => {
    const read = { ...nothing, hasErrors: tree.rootNode.hasError, definitions: outline.definitions };
    const { definitions } = recoverFunctions(read, text, language);
    const values = nameSymbols(readValues(tree, text, language, definitions));
    return { symbols: nameSymbols(definitions), values };
});
/** What `read` makes of the tree of a text and its definitions; nothing if it takes too long. */
async function inTree(text, language, timeoutMs, read) {
    const grammar = await loadGrammar(language.grammar ?? language.name);
    const until = performance.now() + timeoutMs;
    const maxMemory = memoryInUse() + maxForAny + text.length * maxPerCharacter;
    let unparsed = 'parsing failed';
    const isOver = () => {
        if (performance.now() > until)
            unparsed = 'parsing timed out';
        else if (memoryInUse() > maxMemory)
            unparsed = 'parsing exceeded the memory limit';
        else
            return false;
        return true;
    };
    const parser = new Parser();
    parser.setLanguage(grammar);
    try {
        const tree = parser.parse(inKnownWords(text, language), null, {
            progressCallback: isOver,
        });
        if (!tree)
            return { unparsed };
        try {
            const outline = readDefinitions(tree, text, language, isOver);
            if (!outline)
                return { unparsed };
            if (outline.definitions.length > maxDefinitions)
                return {
                    unparsed: `it defines more than ${maxDefinitions.toLocaleString('en-US')} symbols`,
                };
            return read(tree, outline, isOver) ?? { unparsed };
        }
        finally {
            tree.delete();
        }
    }
    finally {
        parser.delete();
    }
}
const inKnownWords = (text, { substitutes = [], regions }) => substitutes.reduce((output, [word, instead]) => output.replace(word, (match) => instead.padEnd(match.length)), regions ? regions(text) : text);
/** Pages of 64 KB. The memory grows on demand and never shrinks. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 32_768 });
/** Bytes that parsers have allocated. */
const memoryInUse = () => memory.buffer.byteLength;
let isReady;
const loaded = new Map();
/** Load a grammar once and on demand, because each takes memory and compile time. */
export async function loadGrammar(name) {
    isReady ??= Parser.init({ wasmMemory: memory });
    await isReady;
    const grammar = loaded.get(name);
    if (grammar)
        return grammar;
    const loading = Grammar.load(fileURLToPath(new URL(`${name}.wasm`, grammarsFolder)));
    loaded.set(name, loading);
    loading.catch(() => loaded.delete(name));
    return loading;
}
//# sourceMappingURL=parse-text.js.map