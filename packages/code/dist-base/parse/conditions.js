/**
 * Each branch of an `#if` begins in the state before it, and the text after `#endif` continues in
 * the state after the first branch. Text excluded by `#if 0` is ignored.
 */
export function createConditions(save, restore) {
    const open = [];
    let skipped = 0;
    function begin(isNever) {
        const isSkipped = skipped > 0 || isNever;
        open.push({ start: save(), isSkipped });
        if (isSkipped)
            skipped++;
    }
    function choose() {
        const choice = open.at(-1);
        if (!choice)
            return;
        if (!choice.isSkipped) {
            choice.first ??= save();
            restore(choice.start);
        }
        else if (skipped === 1) {
            choice.isSkipped = false;
            skipped = 0;
        }
    }
    function end() {
        const choice = open.pop();
        if (choice?.isSkipped)
            skipped--;
        else if (choice?.first)
            restore(choice.first);
    }
    return {
        get isSkipping() {
            return skipped > 0;
        },
        take(directive) {
            const [, word = '', rest = ''] = /^#\s*(\w+)\s*(\S*)/.exec(directive) ?? [];
            if (word.startsWith('if'))
                begin(word === 'if' && /^0(?:$|\/)/.test(rest));
            else if (word.startsWith('el'))
                choose();
            else if (word === 'endif')
                end();
        },
    };
}
//# sourceMappingURL=conditions.js.map