import { type FormEvent, type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'

/** Asks as a model asks, and shows the very text that it gets. */
export function ModelSearch(): ReactNode {
  const { api } = useConsole()
  const [text, setText] = useState('')
  const search = useAct({
    ask: (query: string) => answerOf(api.POST('/api/v1/tools/search', { body: { query } })),
    changes: [],
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) search.mutate(text.trim())
  }
  return (
    <>
      <form className="toolbar" onSubmit={submit}>
        <Field label="What a model asks search_tools for" isWide>
          {(id) => (
            <input
              id={id}
              type="search"
              maxLength={2_000}
              placeholder="create an issue"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="main" isBusy={search.isPending}>
          Search
        </Button>
      </form>
      <Panel title="What it gets" aside={search.data && countOf(search.data.tokens, 'token')}>
        <div aria-live="polite">
          {search.error && <ProblemNote error={search.error} />}
          {search.data ? (
            <CodeBlock label="Answer of search_tools" isTall>
              {search.data.text}
            </CodeBlock>
          ) : (
            <Empty title="Nothing asked yet">
              Try the words of a task, in any language. What is found here is found by models.
            </Empty>
          )}
        </div>
      </Panel>
    </>
  )
}
