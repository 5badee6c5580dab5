import type { ReactNode } from 'react'
import { useQueryValues } from '../text/use-query-values.ts'
import { Page } from '../ui/page.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { ModelSearch } from './model-search.tsx'
import { ToolList } from './tool-list.tsx'

export function ToolsPage(): ReactNode {
  const [values, set] = useQueryValues(['q', 'server', 'sort', 'as', 'profile'])
  const { as = 'list', profile } = values
  return (
    <Page
      title="Tools"
      intro={
        profile
          ? `The tools that the profile ${profile} exposes.`
          : 'The tools of all servers, and what each definition costs.'
      }
      actions={
        <Segmented
          label="View"
          value={as}
          options={[
            ['list', 'List'],
            ['model', 'Search as a model'],
          ]}
          onChange={(chosen) => set({ as: chosen === 'list' ? '' : chosen })}
        />
      }
    >
      {as === 'model' ? <ModelSearch /> : <ToolList values={values} onChange={set} />}
    </Page>
  )
}
