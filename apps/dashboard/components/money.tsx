import { exactUsd, shortUsd } from '../format/money.ts'

/** An amount at a glance; all of its figures are in its title. */
export function Money({ amount, exact = false }: { amount: string | bigint; exact?: boolean }) {
  const all = exactUsd(amount)
  const shown = exact ? all : shortUsd(amount)
  return (
    <span className="figures" title={shown === all ? undefined : all}>
      {shown}
    </span>
  )
}
