const everyChild = 1;
/** Field ids are offset to leave room for the special values. */
const firstField = 2;
function compileRules(grammar, language) {
    const count = grammar.nodeTypeCount;
    const rules = {
        isDefinition: new Uint8Array(count),
        lists: new Int32Array(count),
        isToken: new Uint8Array(count),
        isLead: new Uint8Array(count),
        isNamed: new Uint8Array(count),
    };
    const tokens = new Set(language.tokens);
    const leads = new Set(language.leads);
    for (let id = 0; id < count; id++) {
        const type = grammar.nodeTypeForId(id);
        if (type === null || !grammar.nodeTypeIsNamed(id))
            continue;
        rules.isNamed[id] = 1;
        rules.isDefinition[id] = language.definitions[type] ? 1 : 0;
        rules.isToken[id] = tokens.has(type) ? 1 : 0;
        rules.isLead[id] = leads.has(type) || type.includes('comment') ? 1 : 0;
        rules.lists[id] = listCode(grammar, language.lists[type]);
    }
    return rules;
}
function listCode(grammar, rule) {
    if (rule === undefined)
        return 0;
    if (rule === true)
        return everyChild;
    const isExcluded = rule.startsWith('!');
    const field = grammar.fieldIdForName(isExcluded ? rule.slice(1) : rule);
    if (field === null)
        return isExcluded ? everyChild : 0;
    return isExcluded ? -(field + firstField) : field + firstField;
}
const compiled = new WeakMap();
export function listRulesOf(grammar, language) {
    const rules = rulesOf(grammar, language);
    return {
        lists: rules.lists,
        isList: (list, cursor) => isNode(rules, cursor.nodeTypeId) && isOf(list, cursor),
    };
}
function rulesOf(grammar, language) {
    const rules = compiled.get(language) ?? compileRules(grammar, language);
    compiled.set(language, rules);
    return rules;
}
/** Type id of a syntax error. */
const errorType = 65_535;
/** Number of nodes between checks of the time limit. */
const nodesPerLook = 2 ** 15;
/**
 * Find where a file may be cut, in one walk over the tree; undefined if `isOver` returns true.
 * `behind`: as of {@link TreeDefinitions}. Linear in the number of nodes, without recursion.
 */
export function readTree(tree, text, language, behind, isOver) {
    const rules = rulesOf(tree.language, language);
    const cursor = tree.walk();
    try {
        return walk(cursor, text, rules, behind, isOver);
    }
    finally {
        cursor.delete();
    }
}
function walk(cursor, text, rules, behind, isOver) {
    const units = [];
    const leads = [];
    const tokens = [];
    // Stacks for the path from the root to the current node.
    const lists = [0];
    const listStarts = [0];
    // The end of the last definition among the siblings whose body is a sibling too, or 0.
    const ends = [0];
    let level = 0;
    let newline = -1;
    for (let count = 1;; count++) {
        if (count % nodesPerLook === 0 && isOver())
            return undefined;
        const type = cursor.nodeTypeId;
        const behindEnd = ends[level];
        const isBehind = behindEnd > 0 && cursor.startIndex < behindEnd;
        const end = rules.isDefinition[type] === 1 && behind.size > 0 ? behind.get(cursor.nodeId) : undefined;
        if (end !== undefined)
            ends[level] = end;
        const list = lists[level];
        if (rules.isLead[type] === 1)
            leads.push(cursor.startIndex, cursor.endIndex);
        else if (list !== 0 && !isBehind && isNode(rules, type) && isOf(list, cursor))
            units.push(cursor.startIndex, end ?? cursor.endIndex, listStarts[level]);
        if (rules.isToken[type] === 1) {
            const { startIndex, endIndex } = cursor;
            // Searched once per line, however many tokens it has.
            if (newline < startIndex)
                newline = nextNewline(text, startIndex);
            if (newline < endIndex)
                tokens.push(startIndex, endIndex);
        }
        else {
            const childList = rules.lists[type] ?? 0;
            const start = childList === 0 ? 0 : cursor.startIndex;
            if (cursor.gotoFirstChild()) {
                level++;
                lists[level] = childList;
                listStarts[level] = start;
                ends[level] = 0;
                continue;
            }
        }
        while (!cursor.gotoNextSibling()) {
            level--;
            if (!cursor.gotoParent())
                return {
                    units: Uint32Array.from(units),
                    leads: Uint32Array.from(leads),
                    tokens: Uint32Array.from(tokens),
                    hasErrors: cursor.currentNode.hasError,
                };
        }
    }
}
const isNode = (rules, type) => rules.isNamed[type] === 1 || type === errorType;
function isOf(list, cursor) {
    if (list === everyChild)
        return true;
    const field = cursor.currentFieldId + firstField;
    return list > 0 ? field === list : field !== -list;
}
function nextNewline(text, from) {
    const at = text.indexOf('\n', from);
    return at < 0 ? text.length : at;
}
//# sourceMappingURL=read-tree.js.map