export const java = {
    name: 'java',
    extensions: ['.java'],
    definitions: {
        method_declaration: { kind: 'method' },
        constructor_declaration: { kind: 'constructor' },
        compact_constructor_declaration: { kind: 'constructor' },
        annotation_type_element_declaration: { kind: 'method' },
        class_declaration: { kind: 'class' },
        record_declaration: { kind: 'class' },
        interface_declaration: { kind: 'interface' },
        annotation_type_declaration: { kind: 'interface' },
        enum_declaration: { kind: 'enum' },
    },
    lists: {
        program: true,
        block: true,
        class_body: true,
        interface_body: true,
        annotation_type_body: true,
        enum_body: true,
        enum_body_declarations: true,
        constructor_body: true,
        switch_block: true,
        switch_block_statement_group: true,
    },
    tokens: ['line_comment', 'block_comment', 'string_literal', 'character_literal'],
    interpolated: ['string_literal'],
    lexis: { hasPreprocessor: false, hasTextBlocks: true },
    values: {
        groups: /^;/,
        rules: [
            {
                at: /^(?:@\w+(?:\([^)]*\))?(?:\s|\/\/.*\n)+)*(?=\w)/,
                kind: 'enum member',
                place: ['enum'],
                names: 'one',
            },
            {
                at: /^(?:@[\w.]+(?:\([^)]*\))?(?:\s|\/\/.*\n)+)*(?=(?:\w+\s+)*static\s+(?:\w+\s+)*?final\s|(?:\w+\s+)*final\s+static\s)(?:(?:public|private|protected|static|final)\s+)+/,
                kind: 'constant',
                place: ['member'],
                names: 'last',
            },
            {
                at: /^(?:@[\w.]+(?:\([^)]*\))?(?:\s|\/\/.*\n)+|(?:public|private|protected|static|final|volatile|transient)\s+)*(?!(?:class|interface|enum|record|return)\b|@interface)/,
                kind: 'field',
                place: ['member'],
                names: 'last',
            },
        ],
    },
};
//# sourceMappingURL=java.js.map