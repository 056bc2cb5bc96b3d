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
{{- $server := dict "host" "0.0.0.0" "port" 8787 "drain_delay_seconds" .Values.drain.delaySeconds "drain_seconds" .Values.drain.seconds -}}
{{- $telemetry := dict "metrics_port" (int .Values.metrics.port) -}}
{{- $own := dict "server" $server "data_dir" "/data" "telemetry" $telemetry -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.config) $own) -}}
{{- end }}
