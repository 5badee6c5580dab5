import { nameText } from '../languages/language.js';
import { lineStartOver } from '../text/lines.js';
const compiled = new WeakMap();
function compileRules(grammar, language) {
    const { definitions, wrappers = [], interpolated = [] } = language;
    const count = grammar.nodeTypeCount;
    const types = new Set([...Object.keys(definitions), ...wrappers, ...interpolated]);
    const rules = {
        types: Object.assign([...types], { includes: (type) => types.has(type) }),
        definitions: new Array(count),
        isWrapper: new Uint8Array(count),
        isToken: new Uint8Array(count),
    };
    for (let id = 0; id < count; id++) {
        const type = grammar.nodeTypeForId(id);
        if (type === null || !grammar.nodeTypeIsNamed(id))
            continue;
        rules.definitions[id] = definitions[type];
        rules.isWrapper[id] = wrappers.includes(type) ? 1 : 0;
        rules.isToken[id] = interpolated.includes(type) ? 1 : 0;
    }
    return rules;
}
/** More deeply nested definitions are ignored. */
const maxDepth = 24;
/** In characters; definitions with a longer name path are ignored. */
const maxPathLength = 400;
/** Number of nodes between checks of the time limit. */
const nodesPerLook = 2 ** 12;
/**
 * Find the definitions of a file; undefined if `isOver` returns true. The walk over the tree is
 * within WebAssembly, and only the nodes that may matter leave it.
 */
export function readDefinitions(tree, text, language, isOver) {
    const rules = compiled.get(language) ?? compileRules(tree.language, language);
    compiled.set(language, rules);
    const collected = {
        definitions: [],
        depths: [],
        lengths: [],
        behind: new Map(),
        open: [],
    };
    const { hasError: hasErrors } = tree.rootNode;
    let tokenEnd = 0;
    for (const { nodes, from } of windowsOf(tree, text, rules.types)) {
        for (let at = 0; at < nodes.length; at++) {
            if (at % nodesPerLook === 0 && isOver())
                return undefined;
            const node = nodes[at];
            const { startIndex, typeId } = node;
            // It began before this window, or is within a token.
            if (startIndex < from || startIndex < tokenEnd)
                continue;
            if (rules.isToken[typeId] === 1)
                tokenEnd = node.endIndex;
            const rule = rules.definitions[typeId];
            const isWrapper = rules.isWrapper[typeId] === 1;
            const definition = rule && defined(node, rule, text, hasErrors);
            if (definition || isWrapper)
                enter(collected, node, definition, isWrapper, text);
        }
    }
    return collected;
}
function enter(collected, node, definition, isWrapper, text) {
    const { definitions, behind, open } = collected;
    while (open.length > 0 && open.at(-1).end <= node.startIndex)
        open.pop();
    const scope = open.at(-1)?.scope ?? -1;
    const end = node.endIndex;
    if (!definition || !isAdded(collected, definition, scope)) {
        if (isWrapper)
            open.push({ node, end, isWrapper, scope });
        return;
    }
    widen(definition, node, open, text);
    const isBehind = definition.body >= end && definition.body < definition.end;
    if (isBehind)
        behind.set(node.id, definition.end);
    const last = isBehind ? definition.end : end;
    open.push({ node, end: last, isWrapper, scope: definitions.length - 1 });
}
/** In characters: only the nodes of so much text are in memory at the same time. */
const windowLength = 2 ** 20;
const lastRow = 2 ** 32 - 1;
/** The nodes of these types, in order; those that began before `from` are among them again. */
function* windowsOf({ rootNode }, text, types) {
    let start = { row: 0, column: 0 };
    for (let from = 0; from < text.length; from += windowLength) {
        const to = from + windowLength;
        const end = to < text.length ? pointAfter(start, text.slice(from, to)) : { row: lastRow, column: 0 };
        yield { nodes: rootNode.descendantsOfType(types, start, end), from };
        start = end;
    }
}
function pointAfter({ row, column }, text) {
    const rows = text.split('\n').length - 1;
    const last = text.length - text.lastIndexOf('\n') - 1;
    return { row: row + rows, column: rows === 0 ? column + text.length : last };
}
/** Adds a definition, unless it is the same as that around it, or too deep. */
function isAdded(collected, definition, scope) {
    const { definitions, depths, lengths } = collected;
    const depth = scope < 0 ? 0 : depths[scope] + 1;
    const length = (scope < 0 ? 0 : lengths[scope]) + definition.name.length + 1;
    if (depth > maxDepth || length > maxPathLength || isSame(definition, definitions[scope]))
        return false;
    definition.parent = scope;
    definitions.push(definition);
    depths.push(depth);
    lengths.push(length);
    return true;
}
/** A function expression may have the same name as the variable it is assigned to. */
const isSame = (inner, outer) => outer?.body === inner.body && `/${outer.name}`.endsWith(`/${inner.name}`);
function defined(node, rule, text, hasErrors) {
    const { kind, name = 'name', when, body = 'body', isPrototype } = rule;
    if (when) {
        const type = node.childForFieldName(when.field)?.type;
        if (type === undefined || !when.types.includes(type))
            return undefined;
    }
    const nodeName = typeof name === 'function' ? name(node) : nameText(node.childForFieldName(name));
    if (!nodeName)
        return undefined;
    const start = node.startIndex;
    const bodyNode = typeof body === 'function' ? body(node) : node.childForFieldName(body);
    // The body may follow the node.
    const isBehind = bodyNode !== null && bodyNode.startIndex >= node.endIndex;
    const end = endOf(isBehind ? bodyNode : node, text);
    return {
        name: nodeName,
        kind: typeof kind === 'function' ? kind(node) : kind,
        start,
        own: start,
        body: bodyNode ? bodyOf(bodyNode, text) : end,
        end,
        parent: -1,
        ...(isPrototype && { isPrototype }),
        ...(hasErrors && (node.hasError || (isBehind && bodyNode.hasError)) && { hasError: true }),
    };
}
/** What a comment begins or ends with, in all languages. */
const commentMark = /#|\/\/|\*\/|--|\]=*\]|=end/;
/** In characters, of the last line of a comment. */
const maxMarkDistance = 200;
/** False if what ends before an offset is not a comment: this spares a walk over its nodes. */
function mayBeComment(text, offset) {
    const from = Math.max(0, offset - maxMarkDistance);
    const before = text.slice(from, offset).trimEnd();
    const newline = before.lastIndexOf('\n');
    return (newline < 0 && from > 0) || commentMark.test(before.slice(newline + 1));
}
/** The end of an indented block excludes trailing white space and comments. */
function endOf(node, text) {
    const { startIndex, endIndex } = node;
    const trimmed = startIndex + text.slice(startIndex, endIndex).trimEnd().length;
    if (text[endIndex - 1] === '}' || !mayBeComment(text, trimmed))
        return trimmed;
    let at = node;
    let hasComment = false;
    while (text[at.endIndex - 1] !== '}') {
        let last = at.lastChild;
        for (; last; last = last.previousSibling) {
            const isComment = last.type.includes('comment');
            if (!isComment && last.startIndex < last.endIndex)
                break;
            hasComment ||= isComment;
        }
        if (!last)
            break;
        at = last;
    }
    // Otherwise a token that has no node may be the last.
    if (!hasComment)
        return trimmed;
    return at.startIndex + text.slice(at.startIndex, at.endIndex).trimEnd().length;
}
/**
 * The start of a function body, also if the function is a value. Without a brace, comments before
 * the first statement belong to the body.
 */
function bodyOf(node, text) {
    let first = node.childForFieldName('body') ?? node;
    while (text[first.startIndex] !== '{' && mayBeComment(text, first.startIndex)) {
        const before = first.previousNamedSibling;
        if (!before?.type.includes('comment'))
            break;
        first = before;
    }
    return first.startIndex;
}
/** Extend a definition by the wrappers that it is a child of, and the blanks before it. */
function widen(definition, node, open, text) {
    let child = node;
    for (let at = open.length - 1; at >= 0; at--) {
        const { isWrapper, node: wrapper, end } = open[at];
        if (!isWrapper || !isAllOf(wrapper.startIndex, end, definition, text))
            break;
        if (wrapper.childWithDescendant(child)?.id !== child.id)
            break;
        definition.start = wrapper.startIndex;
        definition.end = end;
        child = wrapper;
    }
    definition.start = lineStartOver(text, definition.start) ?? definition.start;
}
/** False for one of several variables in a declaration. */
function isAllOf(from, to, { start, end }, text) {
    const before = text.slice(from, Math.min(start, from + 20));
    const isDeclaration = /^(?:const|let|var|using|local|type)\b/.test(before);
    return (/^[\s;)]*$/.test(text.slice(end, to)) &&
        (!isDeclaration || /^\w+\s+$/.test(text.slice(from, start))));
}
//# sourceMappingURL=read-definitions.js.map