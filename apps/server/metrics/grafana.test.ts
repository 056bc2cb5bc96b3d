import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { knownMetrics, type KnownMetric } from './testing/known-metrics.ts'

interface Panel {
  type: string
  title?: string
  description?: string
  fieldConfig?: { defaults: { unit?: string } }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

interface Dashboard {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

const folder = join(import.meta.dirname, '..', '..', '..', 'deploy', 'grafana')
const dashboard = JSON.parse(readFileSync(join(folder, 'turnpike.json'), 'utf8')) as Dashboard
const alerts = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const rules = alerts.groups.flatMap((group) => group.rules)

let known: Map<string, KnownMetric>

/** The metrics of an expression, with the labels within their braces. */
function namedIn(expression: string): { metric: string; labels: string[] }[] {
  const names = expression.matchAll(/\b((?:turnpike|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)
  return [...names].map(([, metric, within]) => ({
    metric: metric!.replace(/_bucket$/, ''),
    labels: [...(within ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!),
  }))
}

function expectKnown(expression: string, where: string): void {
  const named = namedIn(expression)
  expect(named.length, where).toBeGreaterThan(0)
  const knownLabels = new Set(['instance', 'le'])
  for (const { metric, labels } of named) {
    expect([...known.keys()], where).toContain(metric)
    const own = ['instance', ...known.get(metric)!.labels]
    for (const label of own) knownLabels.add(label)
    for (const label of labels) expect(own, `${where}: ${metric}`).toContain(label)
  }
  for (const [, grouped] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of grouped!.split(/,\s*/)) expect([...knownLabels], where).toContain(label)
}

beforeAll(async () => {
  known = await knownMetrics()
})

describe('the dashboard', () => {
  test('describes each panel, and sets its unit', () => {
    for (const panel of panels) {
      expect(panel.title).toBeTruthy()
      expect(panel.description, panel.title).toMatch(/\.$/)
      expect(panel.fieldConfig?.defaults.unit, panel.title).toBeTruthy()
      expect(panel.targets?.length, panel.title).toBeGreaterThan(0)
      for (const { legendFormat } of panel.targets!) expect(legendFormat, panel.title).toBeTruthy()
    }
  })

  test('uses metrics and labels that a node has, for the chosen nodes', () => {
    for (const { title, targets } of panels)
      for (const { expr } of targets!) {
        expectKnown(expr, title!)
        expect(expr, title).toContain('instance=~"$instance"')
      }
  })

  test('lets the user choose data source and node', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance'])
    expectKnown(dashboard.templating.list[1]!.definition!.match(/\((\w+),/)![1]!, 'instance')
  })

  test('has no overlapping panels', () => {
    const taken = new Set<string>()
    for (const { gridPos, title } of dashboard.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), title).toBe(false)
          taken.add(`${x} ${y}`)
        }
  })

  test('shows every metric of ours that is not used by an alert', () => {
    const expressions = panels.flatMap(({ targets }) => targets!.map(({ expr }) => expr))
    const named = [...expressions, ...rules.map(({ expr }) => expr)].flatMap(namedIn)
    const shown = new Set(named.map(({ metric }) => metric))
    const own = [...known.keys()].filter((name) => name.startsWith('turnpike_'))
    expect(own.filter((name) => !shown.has(name))).toEqual([])
  })
})

describe('the alerts', () => {
  test('use metrics and labels that a node has', () => {
    for (const { alert, expr } of rules) expectKnown(expr, alert)
  })

  test('have a severity, an explanation, and a unique name', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Turnpike[A-Z]/)
      expect(['critical', 'warning'], alert).toContain(labels.severity)
      expect(annotations.summary, alert).toMatch(/\.$/)
      expect(annotations.description, alert).toMatch(/\.$/)
    }
  })
})
