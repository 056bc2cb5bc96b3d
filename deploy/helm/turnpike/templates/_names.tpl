{{- define "turnpike.name" -}}
{{- if contains "turnpike" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-turnpike{{ end -}}
{{- end }}

{{- define "turnpike.selector" -}}
app.kubernetes.io/name: turnpike
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "turnpike.labels" -}}
{{ include "turnpike.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* What the chart knows better than its user. */}}
{{- define "turnpike.config" -}}
{{- $service := include "turnpike.name" . -}}
{{- $within := printf "%s.%s" $service .Release.Namespace -}}
{{- $names := list $service $within (printf "%s.svc" $within) (printf "%s.svc.cluster.local" $within) -}}
{{- if .Values.ingress.enabled }}{{ $names = append $names .Values.ingress.host }}{{ end -}}
{{- $hosts := concat $names (dig "server" "allowed_hosts" list .Values.config) | uniq -}}
{{- $server := dict "host" "0.0.0.0" "port" 8787 "allowed_hosts" $hosts "drain_delay_seconds" .Values.drain.delaySeconds "drain_seconds" .Values.drain.seconds -}}
{{- $telemetry := dict "metrics_port" (int .Values.metrics.port) -}}
{{- $own := dict "server" $server "data_dir" "/data" "telemetry" $telemetry -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.config) $own) -}}
{{- end }}
