import { Counter, Gauge, type Registry } from 'prom-client'

/** The value of a metric without labels, or the values of its series by their labels. */
type Values = number | Iterable<readonly [labels: Record<string, string>, value: number]>

/** Registers metrics that other code counts: their values are read at each scrape. */
export interface Meters {
  /** Counting costs a request only an addition; prom-client takes 130 ns to find a series by its labels. */
  counter: (name: string, help: string, labelNames: string[], values: () => Values) => void
  /** Several workers' values are distinguished by a label. */
  gauge: (name: string, help: string, labelNames: string[], values: () => Values | Promise<Values>) => void
}

export function metersOf(registry: Registry): Meters {
  const registers = [registry]
  return {
    counter(name, help, labelNames, values) {
      const counter: Counter = new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          counter.reset()
          for (const [labels, value] of seriesOf(values())) counter.inc(labels, value)
        },
      })
    },
    gauge(name, help, labelNames, values) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const current = await values()
          gauge.reset()
          for (const [labels, value] of seriesOf(current)) gauge.set(labels, value)
        },
      })
    },
  }
}

function seriesOf(values: Values): Exclude<Values, number> {
  return typeof values === 'number' ? [[{}, values]] : values
}
