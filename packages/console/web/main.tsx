import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { readTheme, showTheme } from './app/theme.ts'
import { basePath } from './text/paths.ts'
import './app/theme.css'

showTheme(readTheme())

// Browsers request the icon again at each address. An absolute URL keeps it the same.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
icon?.setAttribute('href', icon.href)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Router base={basePath}>
        <App />
      </Router>
    </StrictMode>,
  )
