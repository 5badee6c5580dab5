import { type ReactNode, useState } from 'react'
import { Segmented } from '../ui/segmented.tsx'
import { readTheme, showTheme } from './theme.ts'

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(readTheme)
  return (
    <Segmented
      label="Theme"
      value={theme}
      options={[
        ['system', 'Auto'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChange={(chosen) => {
        setTheme(chosen)
        showTheme(chosen)
      }}
    />
  )
}
