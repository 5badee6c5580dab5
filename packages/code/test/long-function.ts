const statement = (at: number): string =>
  at % 7 === 0
    ? `  if (value > ${at}) {\n    // Why ${at}.\n    log(\n      'a${at}',\n      value,\n    )\n  } else {\n    value += ${at}\n  }\n`
    : `  // About ${at}.\n  value = compute(value, ${at})\n`

export const comment = '/** Says a lot.\n * In two lines. */\n'
export const long = `export function long(value) {\n${Array.from({ length: 300 }, (_, at) => statement(at)).join('')}  return value\n}`
export const minified = `function tiny(){${'a=b+c;call(a,"é😀");'.repeat(3000)}}`
export const template = `function text() {\n  return \`${'line of a text\n'.repeat(600)}\`\n}`
export const source = `const first = 1\n\n${comment}${long}\n\n${template}\n${minified}\n`
