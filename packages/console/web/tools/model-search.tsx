import { type FormEvent, type ReactNode, useState } from 'react'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { SearchField } from '../ui/text-field.tsx'

/** Calls search_tools as a model does, and shows the exact reply. */
export function ModelSearch(): ReactNode {
  const [text, setText] = useState('')
  const search = useAct({
    send: (api, query: string) => api.POST('/api/v1/tools/search', { body: { query } }),
    invalidates: [],
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) search.mutate(text.trim())
  }
  return (
    <>
      <form className="toolbar" onSubmit={submit}>
        <SearchField
          label="Query for search_tools"
          placeholder="create an issue"
          maxLength={2_000}
          value={text}
          onChange={setText}
        />
        <Button type="submit" kind="main" isBusy={search.isPending}>
          Search
        </Button>
      </form>
      <Panel title="Reply to the model" aside={search.data && countOf(search.data.tokens, 'token')}>
        <div aria-live="polite">
          {search.error && <ProblemNote error={search.error} />}
          {search.data ? (
            <CodeBlock label="Reply of search_tools" isTall>
              {search.data.text}
            </CodeBlock>
          ) : (
            <Empty title="No search yet">
              Describe a task, in any language. Models get exactly the reply that is shown here.
            </Empty>
          )}
        </div>
      </Panel>
    </>
  )
}
