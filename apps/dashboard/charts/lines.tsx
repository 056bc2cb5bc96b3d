import { Legend } from './legend.tsx'
import { tenths, Plot, type PlotProps, type Scale } from './plot.tsx'
import { Tooltip, TooltipLine } from './tooltip.tsx'

export interface Line {
  name: string
  color: string
  /** One value per place; null breaks the line. */
  values: readonly (number | null)[]
  /** For the whole range, shown in the legend. */
  total: number | null
  /** A forecast, not a measurement. */
  isDashed?: boolean
  /** Exact texts to show instead of the values and of the total. */
  words?: { at: readonly (string | null)[]; total: string }
}

interface LineChartProps extends Omit<PlotProps, 'children' | 'tooltip' | 'largest' | 'formatAxis'> {
  lines: readonly Line[]
  /** The full name of a place. */
  title: (at: string) => string
  format: (value: number) => string
  /** The axis reaches at least this value. */
  reach?: number
}

/** A line chart with its legend, for values that do not add up, such as durations. */
export function LineChart({ lines, title, format, reach = 0, ...plot }: LineChartProps) {
  const formatValue = (value: number | null): string => (value === null ? 'none' : format(value))
  return (
    <>
      <Plot
        {...plot}
        formatAxis={format}
        largest={Math.max(reach, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))}
        tooltip={(index) => (
          <Tooltip title={title(plot.ats[index]!)}>
            {lines.map(({ name, color, values, words }) => (
              <TooltipLine
                key={name}
                name={name}
                color={color}
                value={words === undefined ? formatValue(values[index] ?? null) : (words.at[index] ?? 'none')}
              />
            ))}
          </Tooltip>
        )}
      >
        {(scale) =>
          lines.map(({ name, color, values, isDashed = false }) => (
            <path
              key={name}
              data-series={name}
              fill="none"
              stroke={color}
              strokeWidth={2}
              strokeLinecap="round"
              strokeLinejoin="round"
              {...(isDashed && { strokeDasharray: '2 6' })}
              d={pathOf(values, scale)}
            />
          ))
        }
      </Plot>
      <Legend
        entries={lines.map(({ name, color, total, words }) => ({
          key: name,
          name,
          color,
          value: words?.total ?? formatValue(total),
        }))}
      />
    </>
  )
}

/** A value without neighbours becomes a dot: a line of zero length with round ends. */
function pathOf(values: readonly (number | null)[], { middleOf, yOf }: Scale): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const at = `${tenths(middleOf(index))} ${tenths(yOf(value))}`
      const [before, after] = [values[index - 1] ?? null, values[index + 1] ?? null]
      if (before !== null) return `L${at}`
      return after === null ? `M${at}h0` : `M${at}`
    })
    .join('')
}
