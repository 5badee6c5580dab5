import { decodeText } from '../access/read-text.js';
import { languageNamed } from '../languages/all-languages.js';
import { parseText } from './parse-text.js';
/** Entry point of the worker of `createParser`. */
export default async function parse({ bytes, language, timeoutMs, }) {
    const rules = languageNamed(language);
    if (!rules)
        throw new Error(`There is no language ${language}.`);
    return parseText(decodeText(bytes), rules, timeoutMs);
}
//# sourceMappingURL=parse-worker.js.map