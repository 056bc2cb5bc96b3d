import mark from '../theme/mark.svg'

/** The logo. */
export function Mark({ size }: { size: number }) {
  return <img src={mark} width={size} height={size} alt="" />
}
