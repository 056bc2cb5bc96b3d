/** A server's `/metrics` output, in the text format of Prometheus. */
export class MetricSamples {
  readonly #samples: { name: string; labels: string; value: number }[] = []

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)/u.exec(line) ?? []
      if (name !== undefined) this.#samples.push({ name, labels, value: Number(value) })
    }
  }

  /** The sum of a metric's samples that have these labels, and any others; NaN if there is none. */
  sum(name: string, labels: Record<string, string> = {}): number {
    const labelTexts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    const found = this.#samples.filter(
      (sample) => sample.name === name && labelTexts.every((one) => sample.labels.split(',').includes(one)),
    )
    return found.length === 0 ? Number.NaN : found.reduce((sum, { value }) => sum + value, 0)
  }
}
