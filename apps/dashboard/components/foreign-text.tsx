import classes from './foreign-text.module.css'

/**
 * A text written by somebody else, such as a name or a reason. It cannot change the direction of the text
 * around it (right-to-left marks), and a long one is cut; its title has all of it.
 */
export function ForeignText({ text, lines = 1 }: { text: string; lines?: 1 | 3 }) {
  return (
    <bdi className={lines === 1 ? classes.one : classes.few} title={text}>
      {text}
    </bdi>
  )
}
