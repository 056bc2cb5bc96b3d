import mark from '../theme/mark.svg'

/** The sign of the house. */
export function Mark({ size }: { size: number }) {
  return <img src={mark} width={size} height={size} alt="" />
}
