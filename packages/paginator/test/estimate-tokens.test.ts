import { readFileSync } from 'node:fs'
import { estimateTokens, lastAtMost, scaleTokens } from '@pith-mcp/paginator'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'

const own = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const samples: [string, string][] = [
  ['English', own('../README.md')],
  ['TypeScript', own('../src/choose-end.ts') + own('../src/scan-regions.ts')],
  [
    'Japanese',
    'このセクションでは、データベースの仮想ウェアハウスを作成する方法について説明します。ウェアハウスはクエリを実行するための計算リソースのクラスターです。テーブルの行を更新するには、UPDATE 文を使用してください。',
  ],
  [
    'Chinese',
    '本节介绍如何在数据库中创建虚拟仓库。仓库是用于执行查询的计算资源集群。要更新表中的行，请使用更新语句，并且需要相应的权限。',
  ],
  [
    'Korean',
    '이 섹션에서는 데이터베이스의 가상 웨어하우스를 만드는 방법을 설명합니다. 웨어하우스는 쿼리를 실행하기 위한 계산 리소스입니다.',
  ],
]

test.for(samples)('$0: within 10 % of o200k', ([, text]) => {
  const exact = encode(text).length
  expect(Math.abs(estimateTokens(text) / exact - 1)).toBeLessThan(0.1)
})

test('nothing costs nothing', () => {
  expect(estimateTokens('')).toBe(0)
})

test.for(samples)('$0: a scale counts as the whole is counted, line by line', ([, text]) => {
  const { positions, tokens } = scaleTokens(text)
  expect(Math.ceil((tokens.at(-1) ?? 0) - 1e-6)).toBe(estimateTokens(text))
  expect(positions[0]).toBe(0)
  expect(positions.at(-1)).toBe(text.length)
  for (let line = text.indexOf('\n') + 1; line > 0; line = text.indexOf('\n', line) + 1)
    if (text[line] !== '\n') expect(positions).toContain(line)
  for (let at = 1; at < positions.length; at++) {
    expect(positions[at]).toBeGreaterThan(positions[at - 1] as number)
    expect(tokens[at]).toBeGreaterThanOrEqual(tokens[at - 1] as number)
  }
})

test('a long line has places within it', () => {
  const { positions } = scaleTokens('word '.repeat(1_000))
  expect(positions.length).toBeGreaterThan(15)
})

test('the last of ascending values at most a limit', () => {
  const values = [1, 3, 3, 7]
  const at = (limit: number) => lastAtMost(values.length, (index) => values[index] as number, limit)
  expect([0, 1, 2, 3, 6, 9].map(at)).toEqual([-1, 0, 0, 2, 2, 3])
})
