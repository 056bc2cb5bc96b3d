import { CopyIcon } from './copy-icon.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  label: string
  /** Broken where it ends, so that all of it is seen; else it scrolls aside. */
  wrap?: boolean
}

/** Text to paste elsewhere, as it is. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* It scrolls aside, so the keyboard must reach it (WCAG 2.1.1). */}
      <pre className={classes.code} data-wrap={wrap} tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyIcon value={code} label="Copy" />
      </div>
    </div>
  )
}
