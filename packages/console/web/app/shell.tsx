import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { CurrentPage } from './current-page.tsx'
import { JumpDialog, useJumpKey } from './jump-dialog.tsx'
import { LiveState } from './live-state.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import './shell.css'

export function Shell(): ReactNode {
  const { session, readOnlyReason, signOut } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [isJumping, setJumping] = useState(false)
  useJumpKey(() => setJumping(true))
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="side" data-open={isOpen || undefined}>
        <div className="side-top">
          <Logo />
          <LiveState />
          <Button
            className="menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </Button>
        </div>
        <div id="menu" className="side-menu">
          <button type="button" className="jump-button" onClick={() => setJumping(true)}>
            Go to… <kbd>Ctrl K</kbd>
          </button>
          <Navigation onChosen={() => setOpen(false)} />
          <footer className="side-foot">
            <ThemeSwitch />
            <div className="who">
              <PlainText isClipped>{session.name ?? 'Owner'}</PlainText>
              <Button kind="quiet" onClick={signOut}>
                Sign out
              </Button>
            </div>
            <div className="version">aggregator-mcp {session.version}</div>
          </footer>
        </div>
      </div>
      <main id="main" tabIndex={-1}>
        {readOnlyReason && <p className="read-only">{readOnlyReason}</p>}
        <CurrentPage />
      </main>
      {isJumping && <JumpDialog onClose={() => setJumping(false)} />}
    </div>
  )
}
