import classes from './foreign-text.module.css'

/**
 * A text that somebody else wrote, as a name or a reason: it turns no text around it (marks of right-to-left
 * scripts), and is cut where it is long. All of it is in its title.
 */
export function ForeignText({ text, lines = 1 }: { text: string; lines?: 1 | 3 }) {
  return (
    <bdi className={lines === 1 ? classes.one : classes.few} title={text}>
      {text}
    </bdi>
  )
}
