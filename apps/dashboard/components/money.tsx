import { exactUsd, shortUsd } from '../format/money.ts'

/** A rounded amount; its title has the exact one. */
export function Money({ amount, exact = false }: { amount: string | bigint; exact?: boolean }) {
  const all = exactUsd(amount)
  const shown = exact ? all : shortUsd(amount)
  return (
    <span className="figures" title={shown === all ? undefined : all}>
      {shown}
    </span>
  )
}
