import type { ReactNode } from 'react'
import { CopyIcon } from './copy-icon.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  label: string
  /** Broken where it ends, so that all of it is seen; else it scrolls aside. */
  wrap?: boolean
  /** One of several in a text: no part of the page that one would go to by its name. */
  isPartOfText?: boolean
  /** The code as it is shown, with its words marked; absent: as it is. */
  children?: ReactNode
}

/** Text to paste elsewhere, as it is. */
export function CodeBlock({ code, label, wrap = false, isPartOfText = false, children }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* It scrolls aside, so the keyboard must reach it (WCAG 2.1.1). */}
      <pre
        className={classes.code}
        data-wrap={wrap}
        tabIndex={0}
        role={isPartOfText ? 'group' : 'region'}
        aria-label={label}
      >
        <code>{children ?? code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyIcon value={code} label="Copy" />
      </div>
    </div>
  )
}
