import { readFileSync } from 'node:fs'
import { estimateTokens } from '@pith-mcp/paginator'
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
