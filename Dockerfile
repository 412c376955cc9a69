# syntax=docker/dockerfile:1
#
# Darkroom in an image: the static binary, certificates, time zones, nothing else. No shell, no package manager, no
# user but 65532; it writes no file, so the root may be read-only.
#
#   docker build -t darkroom:dev .
#
# The binary reads its commit from .git, as "make build" does, and is the same bytes for the same commit and Go.
# VERSION, REVISION and CREATED only label the image. Base images are named by tag; whoever has a registry at hand
# pins them by digest: --build-arg GO_IMAGE=golang:1.26.11-bookworm@sha256:…

ARG GO_IMAGE=golang:1.26.11-bookworm
FROM --platform=$BUILDPLATFORM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS
ARG TARGETARCH
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH make build \
 && cp "$(go env GOROOT)/lib/time/zoneinfo.zip" /zoneinfo.zip

FROM scratch
ARG VERSION=1.0.0
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Darkroom" \
      org.opencontainers.image.description="Order, review and approve human photo editing without leaving Slack" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /zoneinfo.zip /zoneinfo.zip
COPY --from=build /src/bin/darkroom /darkroom
# Where Go looks for time zones: POLL_SCHEDULE may name one (CRON_TZ=Europe/Berlin …).
ENV ZONEINFO=/zoneinfo.zip
# By number, so that Kubernetes can see that it is not root.
USER 65532:65532
# For Slack and the photo service. ADMIN_ADDR (metrics, pprof) is on loopback unless it is set.
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s --retries=3 CMD ["/darkroom", "healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/darkroom"]
CMD ["serve"]
