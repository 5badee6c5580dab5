import { bash } from './bash.js';
import { c, cpp } from './c-family.js';
import { components } from './components.js';
import { csharp } from './csharp.js';
import { dart } from './dart.js';
import { go } from './go.js';
import { java } from './java.js';
import { javascript, tsx, typescript } from './javascript.js';
import { kotlin } from './kotlin.js';
import { lua } from './lua.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { swift } from './swift.js';
export const allLanguages = [
    javascript,
    typescript,
    tsx,
    python,
    go,
    rust,
    java,
    c,
    cpp,
    csharp,
    ruby,
    php,
    kotlin,
    scala,
    swift,
    dart,
    bash,
    lua,
    ...components,
];
const languagesBy = (names) => new Map(allLanguages.flatMap((lang) => names(lang).map((name) => [name, lang])));
const byExtension = languagesBy(({ extensions }) => extensions);
const byFilename = languagesBy(({ filenames = [] }) => filenames);
const byInterpreter = languagesBy(({ interpreters = [] }) => interpreters);
/** The language of a file by its name; undefined if the name does not determine it. */
export function languageOfName(path) {
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const dot = name.lastIndexOf('.');
    const language = byFilename.get(name);
    return language ?? (dot < 0 ? undefined : byExtension.get(name.slice(dot).toLowerCase()));
}
/** The language of a file by its name, else by its first line. */
export function languageOf(path, text) {
    const language = languageOfName(path) ?? languageOfShebang(text);
    return language === c && path.endsWith('.h') && isCpp(text) ? cpp : language;
}
function languageOfShebang(text) {
    const program = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([A-Za-z][\w-]*?)[\d.]*(?=\s|$)/.exec(text)?.[1];
    return program === undefined ? undefined : byInterpreter.get(program);
}
/** Patterns that do not occur in C headers, except in comments. */
const isCpp = (text) => /^[ \t]*(?:namespace\b|template\s*<|using\s+(?:namespace\s|\w+\s*=|\w*::)|virtual\s|public:|private:|protected:|#\s*include\s*<[a-z_]+>)/m.test(text) ||
    hasClass(text) ||
    /^[^*/"\n]*\bstd::\w/m.test(text) ||
    /\)[ \w]*= *(?:default|delete) *;/.test(text);
/** Characters between the name of a class and its body, such as base classes. */
const maxHead = 400;
/** True if a line defines or declares a class: `class A : public B {`, `class A;`. */
function hasClass(text) {
    // The text after each match is checked separately: a single pattern takes quadratic time for a
    // long line.
    for (const { 0: begin, index } of text.matchAll(/^[ \t]*(enum\s+)?class\s+\w+/gm)) {
        const rest = text.slice(index + begin.length, index + begin.length + maxHead);
        const end = rest[rest.search(/[;(){]/)];
        if (end === '{' || (end === ';' && !/\w/.test(rest.slice(0, rest.indexOf(';')))))
            return true;
    }
    return false;
}
export const languageNamed = (name) => allLanguages.find((language) => language.name === name);
//# sourceMappingURL=all-languages.js.map