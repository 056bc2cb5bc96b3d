import type { ReactNode } from 'react'
import { CopyIcon } from './copy-icon.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  label: string
  /** Wraps long lines, so that everything is visible; else the block scrolls sideways. */
  wrap?: boolean
  /** One of several code blocks in a text; such a block is not a landmark of the page. */
  isPartOfText?: boolean
  /** The code with syntax highlighting; absent: plain. */
  children?: ReactNode
}

/** Text to copy unchanged. */
export function CodeBlock({ code, label, wrap = false, isPartOfText = false, children }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* It scrolls sideways, so the keyboard must be able to reach it (WCAG 2.1.1). */}
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
