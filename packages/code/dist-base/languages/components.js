import { typescript } from './javascript.js';
const attributes = `(?:[^>"']|"[^"]{0,500}"|'[^']{0,500}'){0,500}`;
const opening = new RegExp(`<!--|<script\\b${attributes}>|(?<![^])---[ \\t]*\\r?\\n`, 'gi');
const isScript = /^(?!.*\stype\s*=)|\stype\s*=\s*["']?(?:module|(?:text|application)\/\w*(?:javascript|typescript|jsx|babel))\b/is;
const blank = (text) => text.replace(/[^\r\n]/g, ' ');
/** The scripts of a page or component, and blanks for the rest. Linear in the length of the text. */
function scriptsOf(text) {
    const parts = [];
    let at = 0;
    opening.lastIndex = 0;
    for (let open = opening.exec(text); open; open = opening.exec(text)) {
        const tag = open[0];
        const close = tag === '<!--' ? /-->/g : tag.startsWith('<') ? /<\/script/gi : /^---/gm;
        close.lastIndex = opening.lastIndex;
        const end = close.exec(text)?.index ?? text.length;
        if (tag !== '<!--' && (tag.startsWith('-') || isScript.test(tag))) {
            parts.push(blank(text.slice(at, opening.lastIndex)), text.slice(opening.lastIndex, end));
            at = end;
        }
        opening.lastIndex = end;
    }
    return parts.join('') + blank(text.slice(at));
}
/** Files whose scripts are read, with the lines of the file. */
export const components = ['vue', 'svelte', 'astro', 'html'].map((name) => ({
    ...typescript,
    name,
    grammar: 'typescript',
    extensions: name === 'html' ? ['.html', '.htm'] : [`.${name}`],
    interpreters: [],
    regions: scriptsOf,
}));
//# sourceMappingURL=components.js.map