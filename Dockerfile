# syntax=docker/dockerfile:1
# A container of Tidings: built from source, run as an unprivileged user, with a root file system that can be read-only.
#   docker build --tag tidings .

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The folder .git is not copied. Set the commit with --build-arg TIDINGS_COMMIT="$(git rev-parse HEAD)".
ARG TIDINGS_COMMIT
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --release --locked --package tidings-server --features jemalloc && cp target/release/tidings /usr/local/bin/tidings

# The program needs only the C library. Its certificates and the panel are compiled in.
FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin tidings \
    && install --directory --owner=tidings --group=tidings --mode=0700 /var/lib/tidings
COPY --from=build /usr/local/bin/tidings /usr/local/bin/tidings
ARG TIDINGS_COMMIT
LABEL org.opencontainers.image.title="Tidings" org.opencontainers.image.revision="${TIDINGS_COMMIT}"
USER 10001:10001
WORKDIR /var/lib/tidings
# Tidings writes only to this folder: the SQLite database, and files of messages. Run the container with --read-only.
VOLUME ["/var/lib/tidings"]
ENV TIDINGS_ENV=production \
    TIDINGS__HTTP__ADDRESS=0.0.0.0:8080 \
    TIDINGS__STORAGE__URL=sqlite:///var/lib/tidings/tidings.db \
    TIDINGS__LOG__FORMAT=json
EXPOSE 8080
# On SIGTERM, the server finishes running requests and jobs within 25 seconds.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/tidings"]
CMD ["serve"]
